pub fn broken() i32 {
    const x = 1;
    var y: u8 = 2;
    return "a" + z;
}
test { _ = broken; }
