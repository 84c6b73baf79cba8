#[test]
fn slow() {
    std::thread::sleep(std::time::Duration::from_secs(4));
}

#[test]
fn leaks() {
    std::process::Command::new("sleep").arg("3").spawn().unwrap();
}

#[test]
fn second_time() {
    let mark = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("target/been-here");
    if !mark.exists() {
        std::fs::write(mark, "").unwrap();
        panic!("not the first time");
    }
}

#[test]
fn never() {
    panic!("never");
}
