const nothing = require('./not-there');
test('is never run', () => nothing());
