#[test]
fn same_name() { panic!("smoke"); }
#[test]
fn eyre() -> color_eyre::Result<()> { let _ = color_eyre::install(); Err(color_eyre::eyre::eyre!("outer").wrap_err("while smoking")) }
