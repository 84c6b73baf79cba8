ExUnit.configure(formatters: [ExUnit.CLIFormatter, Truth])
ExUnit.start(if System.get_env("STITHY_COLOUR"), do: [colors: [enabled: true]], else: [])
