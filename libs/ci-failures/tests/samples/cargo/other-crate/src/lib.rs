#[test]
fn same_name() {
    assert!(1 + 1 == 3);
}
