const { test } = require('uvu');
test('passes', () => {});
test.run();
