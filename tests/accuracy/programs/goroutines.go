// SPDX-License-Identifier: GPL-2.0-only

// A Go program for tests/accuracy: goroutines that sleep, wait for each other, compute, panic
// and stay in system calls. Its runtime runs them on stacks of their own.
package main

import (
	"fmt"
	"sort"
	"syscall"
	"time"
)

func nap() {
	t := syscall.Timespec{Nsec: 200000}
	syscall.Nanosleep(&t, nil)
}

func dive(depth int) int {
	defer nap()
	if depth == 0 {
		panic("the bottom")
	}
	return dive(depth-1) + 1
}

func caught() {
	defer func() { recover() }()
	dive(5)
}

func compute(words map[string]int) {
	for i := 0; i < 2000; i++ {
		words[fmt.Sprintf("word %d", i*7919%500)]++
	}
}

func work() {
	words := make(map[string]int)
	for {
		caught()
		numbers := []int{3, 1, 2}
		sort.Slice(numbers, func(a, b int) bool {
			nap()
			return numbers[a] < numbers[b]
		})
		compute(words)
	}
}

func main() {
	say := make(chan int)
	go work()
	go func() {
		for {
			time.Sleep(200 * time.Microsecond)
			say <- 1
		}
	}()
	go func() {
		for {
			<-say
		}
	}()
	work()
}
