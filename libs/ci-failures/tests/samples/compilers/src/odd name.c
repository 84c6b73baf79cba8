#error this platform is not supported: "error: none"
int x = "y" 3;
