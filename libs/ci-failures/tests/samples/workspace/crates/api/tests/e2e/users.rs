#[test]
fn lists_users() { assert_eq!(vec!["ann", "bob"], vec!["ann"]); }
#[test]
fn same_name() { panic!("e2e"); }
