//go:build !unix

package main

const openPlain = 0
