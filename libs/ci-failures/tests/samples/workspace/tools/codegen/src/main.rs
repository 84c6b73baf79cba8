fn main() {}
#[cfg(test)]
mod tests { #[test] fn generates() { assert!(include_str!("main.rs").contains("nothing like it"[..7].trim()) && false); } }
