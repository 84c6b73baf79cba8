export default {
  testDir: 'e2e', workers: 1, projects: [{ name: 'desktop' }, { name: 'phone', grep: /adds/ }],
  reporter: [['list'], ['junit', { outputFile: 'junit.xml' }], ['json', { outputFile: 'result.json' }]],
};
