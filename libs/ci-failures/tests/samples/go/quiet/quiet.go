// Package quiet has no tests.
package quiet
