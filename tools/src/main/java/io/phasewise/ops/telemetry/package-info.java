/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */

/** Client metrics subscriptions of a cluster: which kinds of client are asked to push what, and which one is unsafe. */
package io.phasewise.ops.telemetry;
