--TEST--
subtracts [x]
--FILE--
<?php echo 5-1;
--EXPECT--
3
