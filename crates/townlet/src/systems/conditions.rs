//! Evaluating preconditions: a small stack machine over the operands of the expression language.

use crate::codes::{NEEDS, NOBODY, PRICES, item};
use crate::setup::Setup;
use crate::state::town::Town;
use crate::tables::affordances::{Condition, STACK_DEPTH, op, operand};

/// Last operand with an item, need or price of its family.
const LAST_STOCK: i64 = operand::INVENTORY - 1;
const LAST_INVENTORY: i64 = operand::NEED - 1;
const LAST_NEED: i64 = operand::NEED + NEEDS as i64 - 1;
const LAST_PRICE: i64 = operand::PRICE + PRICES as i64 - 1;

/// Whether a condition is true for a citizen at an object.
#[must_use]
pub fn holds(town: &Town, setup: &Setup, condition: &Condition, seat: usize, object: usize) -> bool {
    evaluate(&condition.code, |operand| operand_value(town, setup, operand, seat, object))
}

/// Value of an operand; truth is 1.0 and 0.0.
#[must_use]
pub fn operand_value(town: &Town, setup: &Setup, operand: i64, seat: usize, object: usize) -> f64 {
    let citizen = town.citizen(seat);
    let state = &town.objects[object];
    match operand {
        operand::STOCK..=LAST_STOCK => state.stock[(operand - operand::STOCK) as usize] as f64,
        operand::INVENTORY..=LAST_INVENTORY => citizen.inventory[(operand - operand::INVENTORY) as usize] as f64,
        operand::NEED..=LAST_NEED => citizen.needs[(operand - operand::NEED) as usize],
        operand::PRICE..=LAST_PRICE => town.economy.live[(operand - operand::PRICE) as usize],
        operand::OCCUPIED => truth(state.holder != NOBODY && state.holder != seat as i64),
        operand::POWER_ON => truth(town.has_power()),
        operand::WATER_ON => truth(town.has_water()),
        operand::MEAL_AVAILABLE => truth(state.stock[item::MEALS] >= 1),
        operand::QUEUE_LENGTH => state.queue.len() as f64,
        operand::TOD => town.tod() as f64,
        operand::DAY => town.day() as f64,
        operand::ON_SHIFT => truth(citizen.shift.is_on_shift),
        operand::SHIFT_STATE => citizen.shift.state as f64,
        operand::AT_HOME => truth(setup.tables.map.zone_of[citizen.at()] == citizen.home),
        operand::IS_OWNER => truth(state.owner == seat as i64),
        _ => citizen.wallet,
    }
}

/// Runs postfix code; `value_of` gives the value of an operand.
fn evaluate(code: &[(i64, f64)], value_of: impl Fn(i64) -> f64) -> bool {
    let mut stack = [0.0; STACK_DEPTH];
    let mut depth = 0;
    for &(op, argument) in code {
        match op {
            op::PUSH_CONST => {
                stack[depth] = argument;
                depth += 1;
            }
            op::PUSH_OPERAND => {
                stack[depth] = value_of(argument as i64);
                depth += 1;
            }
            op::IN_SET => {
                let first = depth - argument as usize;
                stack[first - 1] = truth(stack[first..depth].contains(&stack[first - 1]));
                depth = first;
            }
            op::NOT => stack[depth - 1] = truth(stack[depth - 1] == 0.0),
            op::NEG => stack[depth - 1] = -stack[depth - 1],
            _ => {
                depth -= 1;
                stack[depth - 1] = truth(combine(op, stack[depth - 1], stack[depth]));
            }
        }
    }
    stack[0] != 0.0
}

#[inline]
fn combine(op: i64, left: f64, right: f64) -> bool {
    match op {
        op::EQ => left == right,
        op::NE => left != right,
        op::LT => left < right,
        op::LE => left <= right,
        op::GT => left > right,
        op::GE => left >= right,
        op::AND => left != 0.0 && right != 0.0,
        _ => left != 0.0 || right != 0.0,
    }
}

#[inline]
const fn truth(is_true: bool) -> f64 {
    if is_true { 1.0 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::{evaluate, op, operand};

    fn run(code: &[(i64, f64)]) -> bool {
        evaluate(code, |operand| if operand == operand::WALLET { 2.5 } else { 0.0 })
    }

    #[test]
    fn comparisons_take_the_left_operand_from_below() {
        for (code, when_less, when_equal, when_more) in [
            (op::EQ, false, true, false),
            (op::NE, true, false, true),
            (op::LT, true, false, false),
            (op::LE, true, true, false),
            (op::GT, false, false, true),
            (op::GE, false, true, true),
        ] {
            for (left, expected) in [(2.0, when_less), (2.5, when_equal), (3.0, when_more)] {
                let program = [(op::PUSH_CONST, left), (op::PUSH_OPERAND, operand::WALLET as f64), (code, 0.0)];
                assert_eq!(run(&program), expected, "{left} {code} 2.5");
            }
        }
    }

    #[test]
    fn and_or_and_not_combine_truths() {
        for (left, right) in [(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0)] {
            let both = [(op::PUSH_CONST, left), (op::PUSH_CONST, right), (op::AND, 0.0)];
            let any = [(op::PUSH_CONST, left), (op::PUSH_CONST, right), (op::OR, 0.0)];
            let neither = [any[0], any[1], any[2], (op::NOT, 0.0)];
            assert_eq!(run(&both), left + right == 2.0);
            assert_eq!(run(&any), left + right > 0.0);
            assert_eq!(run(&neither), left + right == 0.0);
        }
    }

    #[test]
    fn a_set_is_taken_off_the_stack_with_the_value_below_it() {
        let in_set = |value: f64| {
            [
                (op::PUSH_CONST, 1.0),
                (op::PUSH_CONST, value),
                (op::PUSH_CONST, 4.0),
                (op::PUSH_CONST, 7.0),
                (op::NEG, 0.0),
                (op::IN_SET, 2.0),
                (op::AND, 0.0),
            ]
        };

        assert!(run(&in_set(4.0)));
        assert!(run(&in_set(-7.0)));
        assert!(!run(&in_set(7.0)));
    }

    #[test]
    fn eight_values_can_wait() {
        let mut code = vec![(op::PUSH_CONST, 1.0); 8];
        code.extend([(op::AND, 0.0); 7]);

        assert!(run(&code));
    }
}
