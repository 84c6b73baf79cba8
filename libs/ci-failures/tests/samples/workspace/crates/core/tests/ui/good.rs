fn main() { let _x: u8 = 1; }
