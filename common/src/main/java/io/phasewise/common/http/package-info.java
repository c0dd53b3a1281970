/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * One HTTP endpoint for canary, exporter and receiver, on the JDK's server: exact paths, TLS, a
 * password, and limits on time, threads and size that hold for it alone.
 */
package io.phasewise.common.http;
