require_relative "../lib/account"

RSpec.shared_examples "something that counts" do |start|
  it "begins with #{start}" do
    expect(described_class.new.balance).to eq(start)
  end

  it "adds" do
    account = described_class.new(start)
    expect { account.add(1) }.to change(account, :balance).from(start).to(start + 1)
  end
end
