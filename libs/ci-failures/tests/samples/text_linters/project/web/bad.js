var unused = 1;
if (a == b) { console.log('x') }
debugger
