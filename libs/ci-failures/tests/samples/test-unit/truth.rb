require "json"
require "test/unit"
require "test/unit/testresult"

# Writes what failed, as test-unit itself has it, to the file that STITHY_TRUTH names; of a test the first fault.
module Truth
  FAULTS = {}

  def add_failure(fault)
    note(fault)
    super
  end

  def add_error(fault)
    note(fault)
    super
  end

  private

  def note(fault)
    FAULTS[fault.test_name] ||= fault.location.to_a.map(&:to_s).find { |line| line.start_with?("test/") }
    File.write(ENV.fetch("STITHY_TRUTH"), JSON.dump(FAULTS))
  end
end

Test::Unit::TestResult.prepend(Truth)
