const match = { testEnvironment: 'node', rootDir: __dirname };
module.exports = {
  projects: [
    { ...match, displayName: 'unit', testMatch: ['**/src/auth.test.js'] },
    { ...match, displayName: { name: 'web api', color: 'cyan' }, testMatch: ['**/src/deep/*.test.js'] },
  ],
};
