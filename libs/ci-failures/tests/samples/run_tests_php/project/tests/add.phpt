--TEST--
adds numbers
--FILE--
<?php echo 1+1;
--EXPECT--
2
