// This file lets stream.go declare a function without a body.
