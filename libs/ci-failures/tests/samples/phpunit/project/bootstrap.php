<?php

require __DIR__ . '/src/Account.php';
