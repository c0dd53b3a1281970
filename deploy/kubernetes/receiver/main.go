// Copyright The Phasewise Authors
// SPDX-License-Identifier: Apache-2.0

// Prints what Alertmanager posts.
package main

import (
	"fmt"
	"io"
	"net/http"
	"time"
)

func main() {
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Println(time.Now().UTC().Format(time.RFC3339), r.URL.Path, string(body))
	})
	fmt.Println(http.ListenAndServe(":8080", nil))
}
