--TEST--
skips
--SKIPIF--
<?php die("skip no");
--FILE--
<?php echo 5-1;
--EXPECT--
3
