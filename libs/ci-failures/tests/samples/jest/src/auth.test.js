const { read, fetchAll } = require('../lib/store');

describe('Auth', () => {
  describe('login', () => {
    test('accepts', () => {});
    test('rejects', () => {
      expect({ user: 'a', roles: ['x', 'y'] }).toEqual({ user: 'b', roles: ['x'] });
    });
    test('reads › nested names', () => {
      read('gone');
    });
  });
  it.each([['a b', 1], ['c - d', 2], ["it's \"quoted\"", 3], ['[x](y)', 4], ['$HOME', 5]])('takes %s as %i', (name, n) => {
    expect(n % 2).toBe(0);
  });
  test.skip('is skipped', () => {
    throw new Error('never');
  });
  test.todo('is to be done');
  test('waits', async () => {
    await fetchAll('https://example.org/x');
  });
  test('is slow', async () => {
    await new Promise((done) => setTimeout(done, 400));
  }, 50);
});

test('top level fails ✗ ünïcode 日本', () => {
  expect('a').toBe('b');
});

test('throws what is no error', () => {
  throw 'a bare string';
});

test('has a message of several lines', () => {
  throw new Error('first line\n\n  ● Auth › login › a decoy\n\n    FAIL src/decoy.test.js\n\nlast line');
});
