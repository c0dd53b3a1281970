/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Finds or builds Prometheus, Alertmanager, node_exporter and Grafana, writes their files, and says
 * how to run them on the loopback interface.
 */
package io.phasewise.lab.server;
