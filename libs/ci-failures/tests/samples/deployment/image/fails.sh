echo "nothing that a tool prints"
exit 3
