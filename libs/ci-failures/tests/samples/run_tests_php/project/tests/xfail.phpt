--TEST--
known
--XFAIL--
bug
--FILE--
<?php echo 5-1;
--EXPECT--
3
