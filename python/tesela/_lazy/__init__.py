# SPDX-License-Identifier: Apache-2.0
"""The operators on arrays of chunks: `layout` says which chunks an output chunk reads and computes it, `chunks` chooses the
output's chunks, and each engine has a module."""
