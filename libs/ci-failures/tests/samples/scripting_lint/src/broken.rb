# frozen_string_literal: true

def broken(
