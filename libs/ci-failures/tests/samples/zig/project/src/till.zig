const std = @import("std");
const testing = std.testing;
fn add(a: i32, b: i32) i32 { return a + b; }
test "adds" { try testing.expectEqual(@as(i32, 2), add(1, 1)); }
test "subtracts" { try testing.expectEqual(@as(i32, 3), add(5, -1)); }
test "says" { try testing.expectEqualStrings("a\nb", "a\nc"); }
test "a thing: with colon" { return error.Closed; }
test "skips" { return error.SkipZigTest; }
test "prints" { std.debug.print("1/2 till.test.adds...FAIL (Nope)\n", .{}); }
test "leaks" { const p = try testing.allocator.create(u8); _ = p; }
