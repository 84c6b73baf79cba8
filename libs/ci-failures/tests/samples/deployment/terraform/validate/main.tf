resource "terraform_data" "a" {
  input = var.missing
  nope = 3
}
output "x" { value = terraform_data.b.output }
