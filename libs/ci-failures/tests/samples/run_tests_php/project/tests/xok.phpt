--TEST--
known ok
--XFAIL--
bug
--FILE--
<?php echo 3;
--EXPECT--
3
