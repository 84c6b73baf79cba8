// Asks QUnit itself: an event for each test, in the same process as the printed stream.
const { writeFileSync } = require('fs');
const rows = [];
QUnit.on('testEnd', (one) => { if (one.status === 'failed') rows.push({ titles: one.fullName, stack: one.errors[0]?.stack ?? '' }); });
QUnit.on('runEnd', () => writeFileSync('result.json', JSON.stringify(rows)));
