"""The table `channel`: weights by name, rounded. Written by `asterism.evals.dialogue_fit`; do not edit.

Fitted on the 72 train logs of the IRC reply links (CC BY 4.0).
"""

from __future__ import annotations

from asterism.core.dialogue.tables import Table, hidden_from, names_from, weights_from
from asterism.core.dialogue.tables_channel_hidden import UNITS, WEIGHTS

FIRST = r"""
distance: 1 -0.3 2 -0.2 3 -0.1 5 -0.1 6_8 -0.1 9_12 -0.2 13_20 0.1 41_99 0.1 log -1 none: bias 0.9 new_speaker 0.6
goes_on 0.1 own_near -0.6 y_names -0.5 y_names_unseen 0.5 named -0.7 has_partner 0.2 y_question 0.7 y_asks_wh 0.5
y_asks_aux 0.8 y_asks_help 0.5 y_yes -0.6 y_no -0.5 y_acknowledge 0.1 y_thanks -0.3 y_welcome -0.1 y_greeting 1.2
y_farewell 1.1 y_laughs -0.4 y_commands -0.5 y_advises -0.4 y_goes_on -0.4 y_first_person 0.4 y_second_person -0.4
y_third_thing -0.4 y_negates -0.2 y_done 0.1 y_like_this -0.1 y_praise 0.2 y_thinks -0.2 y_number 0.2 y_link -0.4
y_code -0.1 y_bot_call 0.4 y_exclaims 0.6 y_only_marks -0.2 y_roll -0.1 y_one_word -0.6 y_few_words -0.8 y_some_words
-0.4 y_many_words 0.5 y_plain 0.2 no_words -0.3 best_shared -0.1 speaker: same -0.1 own_last 1 own_last.d2 0.1
same_turn 0.5 same_turn.start -0.2 other_nearest -0.6 other_turn 0.1 other_since_own -0.4 other_since_own.first 0.3
last_of_x -0.3 last_turn_of_x 0.3 own_between -0.4 own_between_any -0.5 goes_on.same -0.3 goes_on.d1 0.9
goes_on.other_nearest 0.6 goes_on.other_turn 0.4 new.other -0.6 new.d1 0.2 x_new 0.1 x_ends_turn 0.2 x_starts_turn 0.2
x_new_before_own 0.3 address: y_names_x 1.4 y_leads_x 0.9 y_names_x.last 0.5 y_names_x.last_turn 0.4 y_names_x.far
-0.7 y_names_x.log 0.3 y_names_x.x_names_y 0.3 y_names_x.nearest_x_names_y 0.5 y_names_x.x_elsewhere 0.3
y_names_x.x_free 0.8 y_names_x.x_question 0.3 y_names_x.x_plain 0.1 y_names_x.x_thanks 0.4 y_names_x.x_acknowledge 0.4
y_names_x.x_greeting 0.5 y_names_x.x_asks_help 0.4 y_names_x.x_few_words -0.5 y_names_x.x_one_word -0.2
y_names_x.x_many_words 0.4 y_names_x.y_question 0.3 y_names_x.y_thanks -0.3 y_names_x.y_acknowledge -0.2
y_names_x.y_yes -0.1 x_names_y 1.2 x_names_y.nearest 0.3 x_names_y.y_free 0.1 x_names_y.since_own 1.2
x_names_y.y_elsewhere 0.9 y_elsewhere -0.9 x_elsewhere -0.5 x_elsewhere.y_free -0.9 neither -0.6 neither.d1 0.6
same_addressee.same 0.8 same_addressee.same.last 0.5 same_addressee.other 2 own.y_names_new -0.8 own.x_names -0.3
own.x_names.last 0.4 own.free 0.3 partner -0.8 partner.y_free 1.4 partner.y_free.last 0.2 partner.x_free 0.5 x_partner
0.6 x_partner.last 0.5 x_partner.y_free 0.2 not_partner 0.3 named_by_nearer.y_free -0.3 own.named_since -0.5 form:
x_question 0.2 x_question.same 0.2 y_question.same 0.5 x_asks_wh.same 0.2 y_asks_wh.same -0.2 y_asks_wh.d1 -0.2
x_asks_aux 0.1 x_asks_aux.same 0.1 y_asks_aux.same 0.4 y_asks_aux.d1 -0.1 x_asks_help -0.1 x_asks_help.same 0.4
y_asks_help.same 0.4 y_asks_help.d1 -0.2 y_yes.same -0.3 x_no 0.1 y_no.d1 0.2 x_acknowledge -0.3 x_acknowledge.same
0.3 y_acknowledge.same -0.2 x_thanks -0.4 x_thanks.same 0.2 y_thanks.same -0.3 y_thanks.d1 0.1 x_welcome -0.6
x_welcome.same -0.1 y_welcome.same -0.3 y_welcome.d1 0.4 x_greeting -0.3 x_greeting.same 0.1 y_greeting.same 0.6
y_greeting.d1 -0.4 x_farewell.same 0.4 y_farewell.same -0.2 y_farewell.d1 -0.2 x_sorry -0.2 x_sorry.same -0.3
y_sorry.d1 0.3 x_laughs -0.2 x_laughs.same -0.2 y_laughs.same -0.2 y_laughs.d1 0.2 x_commands 0.1 x_commands.same -0.2
y_commands.same 0.1 y_commands.d1 0.1 x_advises -0.1 x_advises.same 0.2 y_advises.d1 -0.2 x_goes_on -0.1
x_goes_on.same 0.2 y_goes_on.same 0.2 y_goes_on.d1 0.1 y_now.d1 -0.1 x_first_person -0.1 x_first_person.same 0.4
y_first_person.same 0.2 y_first_person.d1 -0.3 x_second_person.same -0.3 y_second_person.same -0.4 y_second_person.d1
0.1 x_third_thing -0.1 y_third_thing.same 0.1 x_negates.same 0.1 y_negates.same -0.2 y_negates.d1 -0.1 x_corrects -0.1
x_corrects.same 0.3 y_corrects.same 0.2 y_corrects.d1 0.2 x_done.same 0.2 y_done.same 0.2 y_done.d1 -0.4 x_like_this
-0.2 x_like_this.same 0.1 y_like_this.same 0.1 y_like_this.d1 -0.1 x_praise -0.1 y_praise.same 0.1 y_praise.d1 -0.3
x_thinks.same 0.1 y_thinks.same 0.2 y_thinks.d1 0.3 x_number.same 0.1 y_number.same 0.2 y_number.d1 -0.2 x_link 0.2
y_link.same -0.6 y_link.d1 0.5 x_code 0.1 x_code.same 0.1 y_code.same -0.1 y_code.d1 -0.1 x_bot_call -0.1
x_bot_call.same -0.1 y_bot_call.same -0.3 y_bot_call.d1 -0.5 x_trails_off.same 0.2 y_trails_off.same 0.1
y_trails_off.d1 -0.2 x_exclaims.same -0.3 y_exclaims.same -0.1 y_exclaims.d1 0.1 x_only_marks -0.3 x_only_marks.same
0.2 y_only_marks.same 0.7 y_only_marks.d1 0.6 x_roll 0.3 x_roll.same 0.1 y_roll.d1 0.3 x_one_word -0.4 x_one_word.same
-0.4 y_one_word.same -0.3 y_one_word.d1 0.2 x_few_words.same -0.4 y_few_words.same -0.3 y_some_words.same -0.1
y_some_words.d1 -0.1 x_many_words -0.2 x_many_words.same 0.2 y_many_words.d1 0.4 x_plain.same -0.1 y_plain.d1 0.2
pair: question>question -0.2 question>asks_help -0.4 question>yes 0.7 question>no 0.4 question>acknowledge -0.5
question>thanks -0.4 question>greeting -0.6 question>commands 0.1 question>corrects -0.1 question>done -0.1
question>praise -0.2 question>first_person -0.2 question>bot_call 0.6 question>goes_on -0.3 question>now -0.1
question>plain -0.1 asks_wh>question 0.2 asks_wh>asks_wh -0.2 asks_wh>yes -0.5 asks_wh>no -0.2 asks_wh>acknowledge
-0.3 asks_wh>thanks -0.2 asks_wh>greeting -0.2 asks_wh>commands 0.3 asks_wh>corrects -0.2 asks_wh>done 0.1
asks_wh>first_person -0.3 asks_wh>second_person 0.1 asks_wh>bot_call 0.2 asks_wh>goes_on -0.1 asks_wh>now 0.1
asks_wh>plain 0.4 asks_help>asks_help 0.2 asks_help>yes -0.2 asks_help>no -0.2 asks_help>acknowledge -0.1
asks_help>greeting -0.2 asks_help>commands 0.2 asks_help>advises -0.1 asks_help>praise -0.1 asks_help>first_person
-0.3 asks_help>second_person -0.2 asks_help>bot_call 0.4 asks_help>goes_on -0.3 yes>asks_wh -0.1 yes>asks_help -0.2
yes>yes -0.1 yes>no 0.1 yes>acknowledge 0.5 yes>thanks 0.1 yes>greeting -0.1 yes>commands -0.1 yes>advises -0.2
yes>praise 0.3 yes>first_person 0.1 yes>second_person 0.2 yes>bot_call -0.2 yes>goes_on 0.2 yes>now 0.2 yes>plain -0.1
no>question -0.1 no>asks_wh 0.1 no>yes -0.1 no>no 0.1 no>acknowledge 0.1 no>greeting -0.1 no>commands 0.2 no>corrects
0.2 no>done -0.1 no>praise -0.2 no>first_person 0.1 no>second_person 0.2 no>bot_call 0.2 no>goes_on 0.1 no>plain -0.4
acknowledge>question -0.2 acknowledge>asks_wh 0.1 acknowledge>asks_help -0.3 acknowledge>yes 0.1
acknowledge>acknowledge -0.3 acknowledge>thanks -0.1 acknowledge>greeting -0.1 acknowledge>advises 0.2
acknowledge>corrects -0.2 acknowledge>done -0.1 acknowledge>praise -0.3 acknowledge>first_person 0.2
acknowledge>second_person -0.2 acknowledge>bot_call -0.1 acknowledge>goes_on 0.4 acknowledge>now 0.1 thanks>question
-0.3 thanks>asks_wh -0.1 thanks>asks_help -0.2 thanks>no 0.2 thanks>thanks -0.2 thanks>greeting -0.1 thanks>commands
-0.3 thanks>advises -0.1 thanks>first_person -0.2 thanks>second_person -0.1 thanks>bot_call -0.1 thanks>goes_on -0.2
thanks>now -0.1 greeting>question -0.3 greeting>no -0.1 greeting>acknowledge -0.1 greeting>thanks -0.1
greeting>greeting 0.2 greeting>commands 0.2 greeting>corrects -0.2 greeting>done 0.2 greeting>praise 0.1
greeting>first_person -0.2 greeting>bot_call 0.2 greeting>now -0.1 greeting>plain -0.3 commands>question 0.1
commands>asks_wh 0.3 commands>asks_help -0.1 commands>yes 0.1 commands>no 0.1 commands>acknowledge 0.2 commands>thanks
0.6 commands>greeting -0.3 commands>commands -0.1 commands>praise 0.1 commands>first_person 0.1 commands>bot_call -0.2
commands>goes_on -0.1 commands>now 0.1 commands>plain 0.1 advises>yes -0.1 advises>no -0.1 advises>acknowledge 0.2
advises>thanks 0.1 advises>greeting -0.1 advises>commands -0.2 advises>corrects -0.2 advises>done 0.2 advises>praise
-0.1 advises>first_person 0.2 advises>second_person 0.1 advises>bot_call -0.3 advises>goes_on -0.2 advises>now 0.1
advises>plain 0.1 corrects>asks_help 0.1 corrects>yes -0.2 corrects>no -0.1 corrects>acknowledge 0.1 corrects>thanks
-0.1 corrects>advises 0.1 corrects>corrects -0.1 corrects>done -0.2 corrects>praise 0.1 corrects>bot_call -0.1
corrects>goes_on -0.2 corrects>now 0.3 corrects>plain 0.1 done>question 0.1 done>asks_wh 0.4 done>asks_help -0.1
done>acknowledge -0.1 done>thanks -0.2 done>greeting -0.1 done>commands -0.2 done>advises -0.1 done>corrects 0.1
done>first_person 0.1 done>second_person -0.1 done>bot_call 0.1 done>goes_on 0.1 praise>question -0.3 praise>asks_wh
-0.1 praise>asks_help -0.1 praise>yes 0.2 praise>greeting -0.1 praise>commands -0.1 praise>advises -0.1 praise>done
0.1 praise>praise 0.1 praise>first_person 0.2 praise>second_person 0.1 praise>plain 0.1 first_person>no 0.3
first_person>acknowledge -0.1 first_person>thanks -0.2 first_person>greeting -0.6 first_person>commands 0.2
first_person>corrects 0.1 first_person>done 0.1 first_person>praise 0.2 first_person>first_person -0.2
first_person>second_person 0.4 first_person>bot_call 0.3 first_person>goes_on -0.1 first_person>now 0.1
second_person>yes 0.3 second_person>no 0.4 second_person>acknowledge 0.1 second_person>thanks 0.3
second_person>greeting -0.3 second_person>commands -0.1 second_person>advises 0.2 second_person>done -0.3
second_person>praise 0.1 second_person>first_person 0.2 second_person>second_person -0.2 second_person>bot_call -0.3
second_person>goes_on 0.1 second_person>now -0.1 bot_call>question -0.2 bot_call>asks_wh -0.5 bot_call>asks_help 0.9
bot_call>yes -0.2 bot_call>no -0.1 bot_call>acknowledge -0.2 bot_call>thanks 0.1 bot_call>greeting -0.2
bot_call>commands 0.6 bot_call>advises 0.7 bot_call>corrects -0.2 bot_call>done -0.1 bot_call>praise -0.2
bot_call>first_person -0.5 bot_call>second_person 0.4 bot_call>bot_call -0.5 bot_call>goes_on -0.3 bot_call>now -0.1
bot_call>plain 0.4 goes_on>question -0.1 goes_on>asks_wh 0.2 goes_on>asks_help -0.1 goes_on>yes 0.2 goes_on>no -0.1
goes_on>acknowledge -0.1 goes_on>greeting -0.2 goes_on>corrects -0.1 goes_on>done 0.1 goes_on>praise 0.2
goes_on>bot_call -0.1 goes_on>goes_on -0.1 goes_on>now 0.1 now>asks_wh -0.1 now>yes 0.3 now>acknowledge -0.1
now>greeting -0.2 now>commands -0.2 now>advises 0.2 now>corrects 0.2 now>done 0.1 now>praise -0.1 now>first_person 0.1
now>bot_call -0.1 now>goes_on 0.1 now>now -0.4 plain>question -0.1 plain>asks_help -0.5 plain>yes 0.3 plain>no -0.2
plain>acknowledge 0.3 plain>thanks 0.3 plain>greeting -0.7 plain>advises -0.1 plain>corrects -0.1 plain>praise 0.2
plain>second_person 0.1 plain>bot_call 0.2 plain>goes_on 0.3 plain>plain -0.1 open: nearest_question -0.1
own_nearest_question -0.4 nearest_commands -0.2 commands_between 0.1 own_nearest_asks_help -0.4 nearest_thanks -0.2
own_nearest_thanks 0.2 thanks_between 0.1 own_nearest_greeting -0.1 nearest_bot_call 0.9 own_nearest_bot_call -0.2
bot_call_between 0.2 nearest_plain -0.2 own_nearest_plain 0.2 plain_between -0.1 question.y_answers 0.2
y_acknowledge.own_last 0.2 y_thanks.other_nearest -0.2 y_thanks.own_last 0.1 y_yes.other_nearest 0.1 y_yes.own_last
0.1 y_no.other_nearest -0.1 y_no.own_last 0.4 y_commands.own_last 0.3 y_question.other_nearest -0.1
y_plain.other_nearest -0.3 y_plain.own_last 0.7 y_goes_on.other_nearest -0.1 y_goes_on.own_last 0.6 y_now.own_last 0.1
words: overlap 1.2 overlap.same 0.5 shared 0.4 shared.same -0.2 best.other 0.1 any -0.7 none_between -0.1 size_x 0.1
short_x -0.3
"""
SECOND = r"""
distance: 1 -0.4 2 -0.2 9_12 -0.1 13_20 0.1 21_40 -0.1 log -1 none: bias 0.8 new_speaker 0.8 goes_on -0.1 own_near
-0.6 y_names -0.5 y_names_unseen 0.6 named -0.7 named_since_own -0.2 has_partner 0.1 y_question 0.6 y_asks_wh 0.5
y_asks_aux 0.9 y_asks_help 0.5 y_yes -0.6 y_no -0.5 y_thanks -0.3 y_welcome -0.2 y_greeting 1.3 y_farewell 1.3
y_laughs -0.4 y_commands -0.5 y_advises -0.5 y_goes_on -0.4 y_first_person 0.4 y_second_person -0.5 y_third_thing -0.4
y_negates -0.2 y_done 0.1 y_like_this -0.2 y_praise 0.3 y_thinks -0.2 y_number 0.2 y_link -0.4 y_code -0.1 y_bot_call
0.4 y_exclaims 0.6 y_only_marks -0.1 y_roll -0.1 y_one_word -0.7 y_few_words -0.9 y_some_words -0.5 y_many_words 0.6
y_plain 0.1 no_words -0.5 best_shared -0.2 own_started 0.6 line_before_starts 0.1 next_answers 0.1 answered 0.2
speaker: same -0.1 own_last 0.8 own_last.d6 -0.1 same_turn 0.5 same_turn.start -0.3 other_nearest -0.6
other_turn.start 0.1 other_since_own -0.3 other_since_own.first 0.2 last_of_x -0.4 last_turn_of_x 0.2 own_between -0.3
own_between_any -0.4 goes_on.same -0.3 goes_on.d1 0.8 goes_on.other_nearest 0.7 goes_on.other_turn 0.3 new.other -0.8
new.d1 0.1 x_new -0.1 x_ends_turn 0.1 x_starts_turn 0.1 x_new_before_own 0.1 address: y_names_x 1.3 y_leads_x 1
y_names_x.last 0.7 y_names_x.last_turn 0.6 y_names_x.far -0.8 y_names_x.log 0.3 y_names_x.x_names_y 0.2
y_names_x.nearest_x_names_y 0.6 y_names_x.x_elsewhere 0.3 y_names_x.x_free 0.8 y_names_x.x_question 0.3
y_names_x.x_plain 0.1 y_names_x.x_thanks 0.3 y_names_x.x_acknowledge 0.4 y_names_x.x_greeting 0.4
y_names_x.x_asks_help 0.4 y_names_x.x_few_words -0.6 y_names_x.x_one_word -0.3 y_names_x.x_many_words 0.4
y_names_x.y_question 0.3 y_names_x.y_thanks -0.4 y_names_x.y_acknowledge -0.2 y_names_x.y_yes -0.1 x_names_y 1
x_names_y.nearest 0.1 x_names_y.y_free 0.1 x_names_y.y_free.log -0.2 x_names_y.since_own 0.9 x_names_y.x_question 0.1
x_names_y.y_elsewhere 0.8 y_elsewhere -0.9 x_elsewhere -0.4 x_elsewhere.y_free -0.7 neither -0.5 neither.d1 0.7
same_addressee.same 0.9 same_addressee.same.last 0.6 same_addressee.other 1.7 own.y_names_new -0.9 own.x_names -0.3
own.x_names.last 0.4 own.free 0.2 partner -1.1 partner.y_free 1.3 partner.y_free.last 0.3 partner.x_free 0.3 x_partner
0.5 x_partner.last 0.4 x_partner.y_free -0.1 not_partner 0.2 named_by_nearer.y_free -0.3 own.named_since -0.1 form:
x_question 0.1 x_question.same 0.2 y_question.same 0.4 x_asks_wh -0.1 x_asks_wh.same 0.2 y_asks_wh.same -0.3
y_asks_wh.d1 -0.2 x_asks_aux 0.1 x_asks_aux.same 0.1 y_asks_aux.same 0.4 x_asks_help -0.2 x_asks_help.same 0.5
y_asks_help.same 0.4 y_asks_help.d1 -0.2 y_yes.same -0.4 x_no 0.1 y_no.d1 0.2 x_acknowledge -0.3 x_acknowledge.same
0.3 y_acknowledge.same -0.2 x_thanks -0.4 x_thanks.same 0.2 y_thanks.same -0.3 y_thanks.d1 0.2 x_welcome -0.7
x_welcome.same -0.1 y_welcome.same -0.4 y_welcome.d1 0.5 x_greeting -0.4 y_greeting.same 0.6 y_greeting.d1 -0.3
x_farewell -0.1 x_farewell.same 0.5 y_farewell.same -0.2 y_farewell.d1 -0.2 x_sorry -0.2 x_sorry.same -0.3 y_sorry.d1
0.3 x_laughs -0.3 x_laughs.same -0.3 y_laughs.same -0.2 y_laughs.d1 0.2 x_commands 0.1 x_commands.same -0.2
y_commands.same 0.1 y_commands.d1 0.1 x_advises -0.1 x_advises.same 0.2 y_advises.d1 -0.2 x_goes_on.same 0.2
y_goes_on.same 0.2 y_goes_on.d1 0.1 y_now.d1 -0.1 x_first_person -0.1 x_first_person.same 0.4 y_first_person.same 0.2
y_first_person.d1 -0.3 x_second_person.same -0.3 y_second_person.same -0.4 x_third_thing -0.1 x_third_thing.same 0.1
y_third_thing.same 0.1 x_negates 0.1 x_negates.same 0.1 y_negates.same -0.2 y_negates.d1 -0.1 x_corrects -0.1
x_corrects.same 0.3 y_corrects.same 0.2 y_corrects.d1 0.2 x_done.same 0.3 y_done.same 0.2 y_done.d1 -0.4 x_like_this
-0.2 x_like_this.same 0.2 y_like_this.same 0.2 y_like_this.d1 -0.1 x_praise -0.1 y_praise.same 0.1 y_praise.d1 -0.3
x_thinks.same 0.1 y_thinks.same 0.2 y_thinks.d1 0.3 x_number.same 0.1 y_number.same 0.2 y_number.d1 -0.2 x_link 0.2
x_link.same 0.1 y_link.same -0.6 y_link.d1 0.5 x_code 0.1 x_code.same 0.1 y_code.same -0.1 y_code.d1 -0.2 x_bot_call
-0.1 y_bot_call.same -0.3 y_bot_call.d1 -0.6 x_trails_off -0.1 x_trails_off.same 0.2 y_trails_off.same 0.1
y_trails_off.d1 -0.2 x_exclaims.same -0.4 y_exclaims.same -0.1 x_only_marks -0.4 x_only_marks.same 0.3
y_only_marks.same 0.8 y_only_marks.d1 0.6 x_roll 0.3 x_roll.same 0.2 y_roll.same -0.1 y_roll.d1 0.5 x_one_word -0.4
x_one_word.same -0.5 y_one_word.same -0.3 y_one_word.d1 0.3 x_few_words.same -0.4 y_few_words.same -0.3
x_some_words.same -0.1 y_some_words.same -0.1 y_some_words.d1 -0.1 x_many_words -0.2 x_many_words.same 0.2
y_many_words.d1 0.4 x_plain 0.1 x_plain.same -0.1 y_plain.same 0.1 y_plain.d1 0.2 pair: question>question -0.1
question>asks_help -0.4 question>yes 0.7 question>no 0.4 question>acknowledge -0.5 question>thanks -0.3
question>greeting -0.7 question>commands 0.1 question>corrects -0.1 question>done -0.1 question>praise -0.2
question>first_person -0.1 question>bot_call 0.7 question>goes_on -0.3 question>now -0.1 question>plain -0.1
asks_wh>question 0.2 asks_wh>asks_wh -0.2 asks_wh>yes -0.7 asks_wh>no -0.3 asks_wh>acknowledge -0.4 asks_wh>thanks
-0.2 asks_wh>greeting -0.2 asks_wh>commands 0.4 asks_wh>corrects -0.2 asks_wh>done 0.2 asks_wh>praise 0.1
asks_wh>first_person -0.3 asks_wh>second_person 0.2 asks_wh>bot_call 0.2 asks_wh>goes_on -0.2 asks_wh>now 0.1
asks_wh>plain 0.5 asks_help>asks_help 0.2 asks_help>yes -0.3 asks_help>no -0.2 asks_help>acknowledge -0.1
asks_help>greeting -0.2 asks_help>commands 0.2 asks_help>done 0.1 asks_help>praise -0.1 asks_help>first_person -0.2
asks_help>second_person -0.3 asks_help>bot_call 0.4 asks_help>goes_on -0.4 yes>asks_help -0.2 yes>yes -0.1 yes>no 0.1
yes>acknowledge 0.6 yes>thanks 0.2 yes>greeting -0.2 yes>commands -0.1 yes>advises -0.2 yes>corrects -0.1 yes>praise
0.5 yes>first_person 0.1 yes>second_person 0.2 yes>bot_call -0.2 yes>goes_on 0.2 yes>now 0.2 yes>plain -0.1
no>question -0.2 no>asks_wh 0.2 no>yes -0.1 no>acknowledge 0.2 no>greeting -0.2 no>commands 0.2 no>corrects 0.2
no>done -0.2 no>praise -0.3 no>first_person 0.1 no>second_person 0.2 no>bot_call 0.3 no>goes_on 0.2 no>plain -0.4
acknowledge>question -0.2 acknowledge>asks_wh 0.1 acknowledge>asks_help -0.3 acknowledge>yes 0.1 acknowledge>no -0.1
acknowledge>acknowledge -0.3 acknowledge>thanks -0.1 acknowledge>greeting -0.2 acknowledge>commands 0.1
acknowledge>advises 0.3 acknowledge>corrects -0.3 acknowledge>done -0.1 acknowledge>praise -0.4
acknowledge>first_person 0.2 acknowledge>second_person -0.2 acknowledge>goes_on 0.5 acknowledge>now 0.2
thanks>question -0.3 thanks>asks_wh -0.2 thanks>asks_help -0.3 thanks>no 0.3 thanks>acknowledge -0.1 thanks>thanks
-0.2 thanks>greeting -0.2 thanks>commands -0.4 thanks>advises -0.1 thanks>done 0.1 thanks>first_person -0.3
thanks>second_person -0.1 thanks>bot_call -0.1 thanks>goes_on -0.3 thanks>now -0.2 thanks>plain -0.1 greeting>question
-0.4 greeting>yes -0.1 greeting>no -0.2 greeting>acknowledge -0.1 greeting>thanks -0.2 greeting>greeting 0.4
greeting>commands 0.2 greeting>corrects -0.3 greeting>done 0.3 greeting>praise 0.2 greeting>first_person -0.2
greeting>second_person 0.1 greeting>bot_call 0.2 greeting>goes_on 0.1 greeting>now -0.2 greeting>plain -0.3
commands>question 0.1 commands>asks_wh 0.3 commands>asks_help -0.2 commands>yes 0.2 commands>no 0.1
commands>acknowledge 0.2 commands>thanks 0.7 commands>greeting -0.4 commands>commands -0.1 commands>praise 0.2
commands>first_person 0.1 commands>bot_call -0.2 commands>goes_on -0.2 commands>now 0.1 commands>plain 0.2 advises>yes
-0.1 advises>no -0.1 advises>acknowledge 0.2 advises>thanks 0.1 advises>commands -0.2 advises>corrects -0.2
advises>done 0.2 advises>praise -0.1 advises>first_person 0.2 advises>second_person 0.1 advises>bot_call -0.4
advises>goes_on -0.2 advises>now 0.1 advises>plain 0.2 corrects>question -0.1 corrects>asks_help 0.1 corrects>yes -0.2
corrects>no -0.1 corrects>acknowledge 0.2 corrects>thanks -0.2 corrects>advises 0.1 corrects>corrects -0.1
corrects>done -0.3 corrects>praise 0.1 corrects>bot_call -0.2 corrects>goes_on -0.3 corrects>now 0.4 corrects>plain
0.1 done>question 0.1 done>asks_wh 0.4 done>asks_help -0.1 done>acknowledge -0.1 done>thanks -0.3 done>greeting -0.1
done>commands -0.2 done>advises -0.1 done>corrects 0.1 done>done -0.1 done>first_person 0.1 done>second_person -0.1
done>bot_call 0.1 done>goes_on 0.1 praise>question -0.3 praise>asks_wh -0.1 praise>asks_help -0.1 praise>yes 0.3
praise>greeting -0.1 praise>commands -0.1 praise>advises -0.1 praise>done 0.1 praise>praise 0.2 praise>first_person
0.1 praise>second_person 0.1 praise>now 0.1 praise>plain 0.1 first_person>yes 0.1 first_person>no 0.3
first_person>acknowledge -0.1 first_person>thanks -0.2 first_person>greeting -0.6 first_person>commands 0.3
first_person>corrects 0.1 first_person>done 0.1 first_person>praise 0.2 first_person>first_person -0.2
first_person>second_person 0.4 first_person>bot_call 0.3 first_person>goes_on -0.1 first_person>now 0.1
first_person>plain 0.1 second_person>yes 0.3 second_person>no 0.4 second_person>acknowledge 0.1 second_person>thanks
0.3 second_person>greeting -0.3 second_person>commands -0.1 second_person>advises 0.2 second_person>done -0.3
second_person>praise 0.1 second_person>first_person 0.2 second_person>second_person -0.2 second_person>bot_call -0.3
second_person>goes_on 0.1 second_person>now -0.1 bot_call>question -0.2 bot_call>asks_wh -0.6 bot_call>asks_help 0.9
bot_call>yes -0.3 bot_call>no -0.1 bot_call>acknowledge -0.2 bot_call>thanks 0.2 bot_call>greeting -0.3
bot_call>commands 0.6 bot_call>advises 0.6 bot_call>corrects -0.2 bot_call>done -0.2 bot_call>praise -0.3
bot_call>first_person -0.4 bot_call>second_person 0.4 bot_call>bot_call -0.6 bot_call>goes_on -0.4 bot_call>now -0.1
bot_call>plain 0.4 goes_on>asks_wh 0.3 goes_on>asks_help -0.1 goes_on>yes 0.2 goes_on>no -0.1 goes_on>greeting -0.3
goes_on>corrects -0.2 goes_on>done 0.1 goes_on>praise 0.2 goes_on>bot_call -0.2 goes_on>goes_on -0.1 goes_on>now 0.1
now>asks_wh -0.1 now>yes 0.4 now>no 0.1 now>acknowledge -0.1 now>thanks -0.1 now>greeting -0.3 now>commands -0.3
now>advises 0.2 now>corrects 0.2 now>done 0.1 now>praise -0.2 now>first_person 0.2 now>bot_call -0.1 now>now -0.4
plain>question -0.1 plain>asks_wh 0.1 plain>asks_help -0.4 plain>yes 0.3 plain>no -0.3 plain>acknowledge 0.4
plain>thanks 0.3 plain>greeting -0.7 plain>advises -0.1 plain>corrects -0.1 plain>praise 0.1 plain>second_person 0.1
plain>bot_call 0.2 plain>goes_on 0.3 plain>plain -0.1 open: nearest_question -0.1 own_nearest_question -0.3
nearest_commands -0.2 commands_between 0.1 own_nearest_asks_help -0.4 nearest_thanks -0.1 own_nearest_thanks 0.2
thanks_between 0.1 nearest_greeting 0.1 own_nearest_greeting -0.2 nearest_bot_call 0.9 bot_call_between 0.2
nearest_plain -0.2 own_nearest_plain 0.1 plain_between -0.1 question.y_answers 0.2 question.y_answers_since_own 0.1
y_acknowledge.own_last 0.2 y_thanks.other_nearest -0.3 y_thanks.own_last 0.1 y_yes.other_nearest 0.1 y_yes.own_last
0.1 y_no.other_nearest -0.1 y_no.own_last 0.5 y_commands.other_nearest -0.1 y_commands.own_last 0.3
y_question.other_nearest -0.2 y_plain.other_nearest -0.4 y_plain.own_last 0.7 y_goes_on.other_nearest -0.1
y_goes_on.own_last 0.7 y_now.own_last 0.1 words: overlap 1.3 overlap.same 0.5 shared 0.4 shared.same -0.2 any -0.8
none_between -0.1 size_x 0.1 short_x -0.3 history: head_of_own 0.2 head_of_own.soft -0.1 head_of_line_before 0.1
head_of_line_before.other 0.1 x_answers_y -0.1 x_answers_y.nearest 0.3 x_answers_own 0.3 x_starts 0.7 own_thread.last
0.1 own_thread.last_other 0.1 own_thread.other 0.6 last_of_thread 0.4 last_of_thread.other -0.4 thread_before -0.2
answered -0.3 answered.other 0.3 unanswered_question 0.3 nearest_unanswered_question -0.2 nearest_unanswered 0.3 later
0.1 later.same 0.5 p -1.1 rivals -0.4 log_p 0.1
"""
NAMES = r"""
distance: 1 2 3 4 5 6_8 9_12 13_20 21_40 41_99 log none: bias speaker: same own_last own_last.d2 own_last.d6 same_turn
same_turn.start other_nearest other_turn other_turn.start other_since_own other_since_own.first last_of_x
last_turn_of_x own_between own_between_any goes_on.same goes_on.d1 goes_on.other_nearest goes_on.other_turn new.other
new.d1 x_new x_ends_turn x_starts_turn x_new_before_own acts.aa acts.ab acts.ba acts.bb none: new_speaker goes_on
own_near acts address: y_names_x y_leads_x y_names_x.last y_names_x.last_turn y_names_x.nearest y_names_x.far
y_names_x.log y_names_x.x_names_y y_names_x.nearest_x_names_y y_names_x.x_elsewhere y_names_x.x_free
y_names_x.x_question y_names_x.x_plain y_names_x.x_thanks y_names_x.x_acknowledge y_names_x.x_greeting
y_names_x.x_asks_help y_names_x.x_few_words y_names_x.x_one_word y_names_x.x_many_words y_names_x.y_question
y_names_x.y_thanks y_names_x.y_acknowledge y_names_x.y_yes y_names_x.y_no y_names_x.y_advises x_names_y
x_names_y.nearest x_names_y.y_free x_names_y.nearest_y_free x_names_y.y_free.log x_names_y.since_own
x_names_y.x_question x_names_y.y_elsewhere y_elsewhere x_elsewhere x_elsewhere.y_free neither neither.d1
neither.nearest x_free.nearest same_addressee.same same_addressee.same.last same_addressee.other own.y_names
own.y_names_new own.x_names own.x_names.last own.free partner partner.last partner.y_free partner.y_free.last
partner.x_free x_partner x_partner.last x_partner.y_free not_partner named_by_nearer named_by_nearer.y_free
own.named_since none: y_names y_names_unseen named named_since_own has_partner form: x_question x_question.same
y_question.same y_question.d1 none: y_question form: x_asks_wh x_asks_wh.same y_asks_wh.same y_asks_wh.d1 none:
y_asks_wh form: x_asks_aux x_asks_aux.same y_asks_aux.same y_asks_aux.d1 none: y_asks_aux form: x_asks_help
x_asks_help.same y_asks_help.same y_asks_help.d1 none: y_asks_help form: x_yes x_yes.same y_yes.same y_yes.d1 none:
y_yes form: x_no x_no.same y_no.same y_no.d1 none: y_no form: x_acknowledge x_acknowledge.same y_acknowledge.same
y_acknowledge.d1 none: y_acknowledge form: x_thanks x_thanks.same y_thanks.same y_thanks.d1 none: y_thanks form:
x_welcome x_welcome.same y_welcome.same y_welcome.d1 none: y_welcome form: x_greeting x_greeting.same y_greeting.same
y_greeting.d1 none: y_greeting form: x_farewell x_farewell.same y_farewell.same y_farewell.d1 none: y_farewell form:
x_sorry x_sorry.same y_sorry.same y_sorry.d1 none: y_sorry form: x_laughs x_laughs.same y_laughs.same y_laughs.d1
none: y_laughs form: x_commands x_commands.same y_commands.same y_commands.d1 none: y_commands form: x_advises
x_advises.same y_advises.same y_advises.d1 none: y_advises form: x_goes_on x_goes_on.same y_goes_on.same y_goes_on.d1
none: y_goes_on form: x_now x_now.same y_now.same y_now.d1 none: y_now form: x_first_person x_first_person.same
y_first_person.same y_first_person.d1 none: y_first_person form: x_second_person x_second_person.same
y_second_person.same y_second_person.d1 none: y_second_person form: x_third_thing x_third_thing.same
y_third_thing.same y_third_thing.d1 none: y_third_thing form: x_negates x_negates.same y_negates.same y_negates.d1
none: y_negates form: x_corrects x_corrects.same y_corrects.same y_corrects.d1 none: y_corrects form: x_done
x_done.same y_done.same y_done.d1 none: y_done form: x_like_this x_like_this.same y_like_this.same y_like_this.d1
none: y_like_this form: x_praise x_praise.same y_praise.same y_praise.d1 none: y_praise form: x_thinks x_thinks.same
y_thinks.same y_thinks.d1 none: y_thinks form: x_number x_number.same y_number.same y_number.d1 none: y_number form:
x_link x_link.same y_link.same y_link.d1 none: y_link form: x_code x_code.same y_code.same y_code.d1 none: y_code
form: x_bot_call x_bot_call.same y_bot_call.same y_bot_call.d1 none: y_bot_call form: x_trails_off x_trails_off.same
y_trails_off.same y_trails_off.d1 none: y_trails_off form: x_exclaims x_exclaims.same y_exclaims.same y_exclaims.d1
none: y_exclaims form: x_only_marks x_only_marks.same y_only_marks.same y_only_marks.d1 none: y_only_marks form:
x_roll x_roll.same y_roll.same y_roll.d1 none: y_roll form: x_one_word x_one_word.same y_one_word.same y_one_word.d1
none: y_one_word form: x_few_words x_few_words.same y_few_words.same y_few_words.d1 none: y_few_words form:
x_some_words x_some_words.same y_some_words.same y_some_words.d1 none: y_some_words form: x_many_words
x_many_words.same y_many_words.same y_many_words.d1 none: y_many_words form: x_act x_act.same y_act.same y_act.d1
none: y_act form: x_plain x_plain.same y_plain.same y_plain.d1 none: y_plain pair: question>question question>asks_wh
question>asks_help question>yes question>no question>acknowledge question>thanks question>greeting question>commands
question>advises question>corrects question>done question>praise question>first_person question>second_person
question>bot_call question>goes_on question>now question>plain question>act asks_wh>question asks_wh>asks_wh
asks_wh>asks_help asks_wh>yes asks_wh>no asks_wh>acknowledge asks_wh>thanks asks_wh>greeting asks_wh>commands
asks_wh>advises asks_wh>corrects asks_wh>done asks_wh>praise asks_wh>first_person asks_wh>second_person
asks_wh>bot_call asks_wh>goes_on asks_wh>now asks_wh>plain asks_wh>act asks_help>question asks_help>asks_wh
asks_help>asks_help asks_help>yes asks_help>no asks_help>acknowledge asks_help>thanks asks_help>greeting
asks_help>commands asks_help>advises asks_help>corrects asks_help>done asks_help>praise asks_help>first_person
asks_help>second_person asks_help>bot_call asks_help>goes_on asks_help>now asks_help>plain asks_help>act yes>question
yes>asks_wh yes>asks_help yes>yes yes>no yes>acknowledge yes>thanks yes>greeting yes>commands yes>advises yes>corrects
yes>done yes>praise yes>first_person yes>second_person yes>bot_call yes>goes_on yes>now yes>plain yes>act no>question
no>asks_wh no>asks_help no>yes no>no no>acknowledge no>thanks no>greeting no>commands no>advises no>corrects no>done
no>praise no>first_person no>second_person no>bot_call no>goes_on no>now no>plain no>act acknowledge>question
acknowledge>asks_wh acknowledge>asks_help acknowledge>yes acknowledge>no acknowledge>acknowledge acknowledge>thanks
acknowledge>greeting acknowledge>commands acknowledge>advises acknowledge>corrects acknowledge>done acknowledge>praise
acknowledge>first_person acknowledge>second_person acknowledge>bot_call acknowledge>goes_on acknowledge>now
acknowledge>plain acknowledge>act thanks>question thanks>asks_wh thanks>asks_help thanks>yes thanks>no
thanks>acknowledge thanks>thanks thanks>greeting thanks>commands thanks>advises thanks>corrects thanks>done
thanks>praise thanks>first_person thanks>second_person thanks>bot_call thanks>goes_on thanks>now thanks>plain
thanks>act greeting>question greeting>asks_wh greeting>asks_help greeting>yes greeting>no greeting>acknowledge
greeting>thanks greeting>greeting greeting>commands greeting>advises greeting>corrects greeting>done greeting>praise
greeting>first_person greeting>second_person greeting>bot_call greeting>goes_on greeting>now greeting>plain
greeting>act commands>question commands>asks_wh commands>asks_help commands>yes commands>no commands>acknowledge
commands>thanks commands>greeting commands>commands commands>advises commands>corrects commands>done commands>praise
commands>first_person commands>second_person commands>bot_call commands>goes_on commands>now commands>plain
commands>act advises>question advises>asks_wh advises>asks_help advises>yes advises>no advises>acknowledge
advises>thanks advises>greeting advises>commands advises>advises advises>corrects advises>done advises>praise
advises>first_person advises>second_person advises>bot_call advises>goes_on advises>now advises>plain advises>act
corrects>question corrects>asks_wh corrects>asks_help corrects>yes corrects>no corrects>acknowledge corrects>thanks
corrects>greeting corrects>commands corrects>advises corrects>corrects corrects>done corrects>praise
corrects>first_person corrects>second_person corrects>bot_call corrects>goes_on corrects>now corrects>plain
corrects>act done>question done>asks_wh done>asks_help done>yes done>no done>acknowledge done>thanks done>greeting
done>commands done>advises done>corrects done>done done>praise done>first_person done>second_person done>bot_call
done>goes_on done>now done>plain done>act praise>question praise>asks_wh praise>asks_help praise>yes praise>no
praise>acknowledge praise>thanks praise>greeting praise>commands praise>advises praise>corrects praise>done
praise>praise praise>first_person praise>second_person praise>bot_call praise>goes_on praise>now praise>plain
praise>act first_person>question first_person>asks_wh first_person>asks_help first_person>yes first_person>no
first_person>acknowledge first_person>thanks first_person>greeting first_person>commands first_person>advises
first_person>corrects first_person>done first_person>praise first_person>first_person first_person>second_person
first_person>bot_call first_person>goes_on first_person>now first_person>plain first_person>act second_person>question
second_person>asks_wh second_person>asks_help second_person>yes second_person>no second_person>acknowledge
second_person>thanks second_person>greeting second_person>commands second_person>advises second_person>corrects
second_person>done second_person>praise second_person>first_person second_person>second_person second_person>bot_call
second_person>goes_on second_person>now second_person>plain second_person>act bot_call>question bot_call>asks_wh
bot_call>asks_help bot_call>yes bot_call>no bot_call>acknowledge bot_call>thanks bot_call>greeting bot_call>commands
bot_call>advises bot_call>corrects bot_call>done bot_call>praise bot_call>first_person bot_call>second_person
bot_call>bot_call bot_call>goes_on bot_call>now bot_call>plain bot_call>act goes_on>question goes_on>asks_wh
goes_on>asks_help goes_on>yes goes_on>no goes_on>acknowledge goes_on>thanks goes_on>greeting goes_on>commands
goes_on>advises goes_on>corrects goes_on>done goes_on>praise goes_on>first_person goes_on>second_person
goes_on>bot_call goes_on>goes_on goes_on>now goes_on>plain goes_on>act now>question now>asks_wh now>asks_help now>yes
now>no now>acknowledge now>thanks now>greeting now>commands now>advises now>corrects now>done now>praise
now>first_person now>second_person now>bot_call now>goes_on now>now now>plain now>act plain>question plain>asks_wh
plain>asks_help plain>yes plain>no plain>acknowledge plain>thanks plain>greeting plain>commands plain>advises
plain>corrects plain>done plain>praise plain>first_person plain>second_person plain>bot_call plain>goes_on plain>now
plain>plain plain>act act>question act>asks_wh act>asks_help act>yes act>no act>acknowledge act>thanks act>greeting
act>commands act>advises act>corrects act>done act>praise act>first_person act>second_person act>bot_call act>goes_on
act>now act>plain act>act open: nearest_question own_nearest_question question_between nearest_commands
own_nearest_commands commands_between nearest_act own_nearest_act act_between nearest_asks_help own_nearest_asks_help
asks_help_between nearest_thanks own_nearest_thanks thanks_between nearest_greeting own_nearest_greeting
greeting_between nearest_bot_call own_nearest_bot_call bot_call_between nearest_plain own_nearest_plain plain_between
question.y_answers question.y_answers_since_own y_acknowledge.other_nearest y_acknowledge.own_last
y_thanks.other_nearest y_thanks.own_last y_yes.other_nearest y_yes.own_last y_no.other_nearest y_no.own_last
y_act.other_nearest y_act.own_last y_commands.other_nearest y_commands.own_last y_question.other_nearest
y_question.own_last y_plain.other_nearest y_plain.own_last y_goes_on.other_nearest y_goes_on.own_last
y_now.other_nearest y_now.own_last words: overlap overlap.same shared shared.same best best.other any none_between
none: no_words best_shared words: size_x short_x history: head_of_own head_of_own.goes_on head_of_own.soft
head_of_own.goes_on.soft head_of_line_before head_of_line_before.other x_answers_y x_answers_y.nearest x_answers_own
x_answers_own.nearest x_answers_other x_starts x_starts.other own_thread own_thread.last own_thread.last_other
own_thread.other last_of_thread last_of_thread.other thread_before answered answered.other unanswered_question
nearest_unanswered_question nearest_unanswered later later.same p rivals log_p none: own_started line_before_starts
next_answers answered
"""
FITTED_ON = "the 72 train logs of the IRC reply links (CC BY 4.0)"
CHANNEL = Table(
    "channel",
    FITTED_ON,
    60,
    weights_from(FIRST),
    weights_from(SECOND),
    hidden_from(WEIGHTS, UNITS),
    names_from(NAMES),
)
