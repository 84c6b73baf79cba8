module.exports = (config) => config.set({
  frameworks: ['qunit'], files: ['test/*.js'], browsers: ['jsdom'], singleRun: true, plugins: ['karma-*'],
  junitReporter: { outputDir: '.', outputFile: 'junit.xml', useBrowserName: false },
  specReporter: { suppressErrorSummary: true },
});
