--TEST--
borked
--FILE--
<?php echo 5-1;
