// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

// A producer and a consumer of franz-go that work until they are killed.
// Usage: BOOTSTRAP TOPIC PREFIX
package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

func client(bootstrap, id string, more ...kgo.Opt) *kgo.Client {
	opened, err := kgo.NewClient(append(more, kgo.SeedBrokers(strings.Split(bootstrap, ",")...), kgo.ClientID(id))...)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return opened
}

func main() {
	bootstrap, topic, prefix := os.Args[1], os.Args[2], os.Args[3]
	producer := client(bootstrap, prefix+"-producer")
	consumer := client(bootstrap, prefix+"-consumer", kgo.ConsumeTopics(topic), kgo.ConsumerGroup(prefix+"-readers"))
	go func() {
		for {
			consumer.PollFetches(context.Background())
		}
	}()
	for range time.Tick(50 * time.Millisecond) {
		producer.Produce(context.Background(), &kgo.Record{Topic: topic, Value: make([]byte, 200)}, nil)
	}
}
