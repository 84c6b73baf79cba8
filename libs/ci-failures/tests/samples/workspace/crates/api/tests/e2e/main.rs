mod users;
#[test]
fn root_fails() { let o = std::process::Command::new("false").status().unwrap(); assert!(o.success(), "status: {o}"); }
