*** Settings ***
Suite Setup    Fail    parent broke
*** Test Cases ***
Never Runs
    Log    x
