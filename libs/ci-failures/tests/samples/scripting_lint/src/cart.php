<?php
class foo{
function Bar( $x ){ return $x ; }
}
