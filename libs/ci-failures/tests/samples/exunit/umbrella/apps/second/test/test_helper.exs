ExUnit.configure(formatters: [ExUnit.CLIFormatter, Truth])
ExUnit.start()
