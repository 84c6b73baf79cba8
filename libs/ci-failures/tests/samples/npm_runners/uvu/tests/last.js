const { test } = require('uvu');
const assert = require('uvu/assert');
require('../recorded')('last.js', '', test)('ends', () => { assert.ok(0); });
test.run();
