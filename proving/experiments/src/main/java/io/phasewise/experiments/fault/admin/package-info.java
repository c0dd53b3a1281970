/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What an administrator changes while brokers run: settings, quotas, topics, permissions, leaders.
 */
package io.phasewise.experiments.fault.admin;
