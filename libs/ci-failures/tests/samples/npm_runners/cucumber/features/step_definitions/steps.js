const { Given, When, Then } = require('@cucumber/cucumber');
const assert = require('assert');
Given('a cart', function () { this.n = 0; });
When('I add {int} item', function (n) { this.n += n; });
Then('there are {int} items', function (n) { assert.equal(this.n, n); });
When('it raises', function () { throw new TypeError('boom'); });
