module.exports = { testEnvironment: 'node', testMatch: ['**/src/**/*.test.js'] };
