--TEST--
prints
--FILE--
<?php echo "FAIL x [tests/y.phpt]
other";
--EXPECT--
3
