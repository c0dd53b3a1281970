/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Prometheus, Alertmanager and Grafana: found, downloaded or built, run on the loopback interface,
 * asked. What they are configured to do is left to the files they are given.
 */
package io.phasewise.lab.server;
