// Projects in folders of their own: frames and GitHub's groups have paths relative to these.
const inFolder = (folder, ...testMatch) => ({ testEnvironment: 'node', rootDir: `${__dirname}/${folder}`, testMatch });
module.exports = {
  projects: [
    { displayName: 'deep', ...inFolder('src/deep', '**/*.test.js') },
    inFolder('src', '<rootDir>/auth.test.js', '<rootDir>/snap.test.js'),
  ],
};
