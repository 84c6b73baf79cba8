#[test]
fn fine() {}
