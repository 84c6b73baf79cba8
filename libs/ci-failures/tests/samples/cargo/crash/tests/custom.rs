fn main() {
    println!("checking by itself");
    std::process::exit(1);
}
