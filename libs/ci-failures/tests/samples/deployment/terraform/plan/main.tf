variable "n" {
  type = number
  validation {
    condition = var.n > 3
    error_message = "n must be more than 3."
  }
}
resource "terraform_data" "a" {
  input = var.n
  lifecycle {
    precondition {
      condition = var.n < 0
      error_message = "never"
    }
  }
}
resource "terraform_data" "local" {
  provisioner "local-exec" {
    command = "exit 3"
  }
}
output "n" {
  value = terraform_data.a.output
}
check "c" {
  assert {
    condition = var.n > 100
    error_message = "check failed"
  }
}
