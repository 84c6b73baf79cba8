variable "n" {
  type = number
}
resource "terraform_data" "a" {
  input = var.n
  lifecycle {
    precondition {
      condition     = var.n < 9
      error_message = "n must be less than 9."
    }
  }
}
output "n" {
  value = terraform_data.a.input
}
