*** Test Cases ***
Good
    Should Be Equal    1    1
Bad One
    Should Be Equal    1    2
Bad Two
    [Documentation]    with doc
    Fail    first line\nsecond line
Setup Fails
    [Setup]    Fail    no set-up
    Log    x
